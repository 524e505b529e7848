#error this source is left out by the project
