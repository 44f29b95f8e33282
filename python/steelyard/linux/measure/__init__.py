"""Measure cells on a Linux device with a program that runs there."""
