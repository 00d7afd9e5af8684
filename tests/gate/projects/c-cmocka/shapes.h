#ifndef SHAPES_H
#define SHAPES_H

int area(int width, int height);
int perimeter(int width, int height);
const char *kind(int width, int height);

#endif
