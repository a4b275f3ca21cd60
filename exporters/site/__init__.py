"""A solved game as plain files that any web host serves: `perfectplay site`.

command.py      the command                              states.py       the states, or positions spelled out
writer.py       all files                                blocks.py       those of states, and their index
late.py         the plies that are left out              rules_code.py   packed rules in JavaScript
texts.py        how they write states                    learning.py     which bits decide that
site.js         answers, in a page and in Node           late.js         the search for those plies
worker.js       asks site.js, for the page               query.mjs       asks on a terminal
offline.js      holds the files in a browser
"""
