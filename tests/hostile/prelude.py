# Before each row in Python: ways to try what must be refused. The row ends with 1 where something
# was not.
import atexit, ctypes, errno, os, signal, socket, struct, subprocess, sys, time

libc = ctypes.CDLL(None, use_errno=True)
opened = []


def done():
    if opened:
        sys.stdout.flush()
        os._exit(1)


atexit.register(done)


def holds(what, true, told=""):
    print("held" if true else "open", what, told, flush=True)
    if not true:
        opened.append(what)


def refused(what, call, *names):
    """The call raises OSError, with one of these errnos where some are named."""
    try:
        holds(what, False, f"gives {call()!r}"[:200])
    except OSError as error:
        name = errno.errorcode.get(error.errno, str(error))
        holds(what, not names or name in names, name)


def syscall(number, *arguments):
    """By the number on x86_64; elsewhere by what the row says of it is left out."""
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def succeeds(what, call):
    try:
        call()
        holds(what, True)
    except OSError as error:
        holds(what, False, str(error))
