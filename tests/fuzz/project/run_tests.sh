<#!/bin/sh
cd tests && python3 -m unittest discover -v
