/* A repository with one commit and a worktree of it. */
#pragma once
#include "tests/unit/git_fixture.h"

__attribute__((unused)) static void commit_tree(struct fixture *f)
{
	sh(f,
		"mkdir -p src/deep; echo one >a.txt; echo two >src/b.txt; echo three "
		">src/deep/c.txt; printf '#!/bin/sh\\n' >run.sh; chmod +x run.sh; "
		"ln -s src/b.txt link; printf '*.log\\ncache/\\n' >.gitignore; git add .; git commit "
		"-qm first");
}

struct room {
	struct repository *repository;
	struct base base;
	struct worktree *worktree;
};

__attribute__((unused)) static void room_close(struct room *room)
{
	worktree_free(room->worktree);
	repository_close(room->repository);
}

#define AUTO_ROOM __attribute__((cleanup(room_close))) struct room

__attribute__((unused)) static struct room room_of(struct fixture *f)
{
	commit_tree(f);
	struct room room = {.repository = open_repo(f, "repo")};
	room.base = base_of(f, room.repository, BASE_HEAD);
	room.worktree = checkout_of(f, room.repository, &room.base.tree, "tree");
	return room;
}

__attribute__((unused)) static void expect_same_tree(struct fixture *f, struct room *room)
{
	assert_string_equal(scan_of(f, room->worktree).tree.hex, room->base.tree.hex);
}
