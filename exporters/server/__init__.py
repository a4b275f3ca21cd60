"""Solved games over HTTP: the answers of a database as JSON and pictures, and the page to play against.

command.py         `perfectplay serve`                   app.py      the application: routes and errors
answers.py         the table of endpoints, as OpenAPI    files.py    the files, reopened when replaced
gamescrafters.py   a second dialect                      limits.py   whom it answers, and how long
"""
