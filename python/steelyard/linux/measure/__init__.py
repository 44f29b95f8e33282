"""Cells measured on a Linux device, by a program that runs there."""
