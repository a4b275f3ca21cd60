"""Solved games over HTTP: the answers of a database as JSON and pictures, and a page to play against.

command.py         `perfectplay serve`                   app.py      the application: routes and errors
answers.py         the endpoints, also as OpenAPI        files.py    the files, reopened when replaced
gamescrafters.py   the API of GamesCrafters              limits.py   limits on hosts, sizes and times
"""
