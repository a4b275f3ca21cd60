def is_terminal(s):
    v0 = s >> 1; v1 = v0 >> 1; v2 = v1 & 528349151; v3 = v0 | v2; v4 = v3 >> 2; v5 = v4 & 255652815; v6 = v3 | v5; v7 = v6 >> 4; v8 = v7 & 51130563; v9 = v6 | v8; v10 = v9 >> 1; v11 = v10 & 528349151; v12 = s & 1; v13 = v12 - 1; v14 = v0 ^ v13; v15 = v11 & v14; v16 = v15 >> 1; v17 = v15 & v16; v18 = v17 >> 2; v19 = v17 & v18; v20 = v19 != 0; v21 = 0 | v20; v22 = v15 >> 5; v23 = v15 & v22; v24 = v23 >> 10; v25 = v23 & v24; v26 = v25 != 0; v27 = v21 | v26; v28 = v15 >> 6; v29 = v15 & v28; v30 = v29 >> 12; v31 = v29 & v30; v32 = v31 != 0; v33 = v27 | v32; v34 = v15 >> 7; v35 = v15 & v34; v36 = v35 >> 14; v37 = v35 & v36; v38 = v37 != 0; v39 = v33 | v38; v40 = v0 & 545392672; v41 = v40 == 545392672; v42 = v39 | v41; return v42


def to_move(s):
    v0 = s & 1; return v0


def utility(s):
    v0 = s >> 1; v1 = v0 >> 1; v2 = v1 & 528349151; v3 = v0 | v2; v4 = v3 >> 2; v5 = v4 & 255652815; v6 = v3 | v5; v7 = v6 >> 4; v8 = v7 & 51130563; v9 = v6 | v8; v10 = v9 >> 1; v11 = v10 & 528349151; v12 = s & 1; v13 = v12 - 1; v14 = v0 ^ v13; v15 = v11 & v14; v16 = v15 >> 1; v17 = v15 & v16; v18 = v17 >> 2; v19 = v17 & v18; v20 = v19 != 0; v21 = 0 | v20; v22 = v15 >> 5; v23 = v15 & v22; v24 = v23 >> 10; v25 = v23 & v24; v26 = v25 != 0; v27 = v21 | v26; v28 = v15 >> 6; v29 = v15 & v28; v30 = v29 >> 12; v31 = v29 & v30; v32 = v31 != 0; v33 = v27 | v32; v34 = v15 >> 7; v35 = v15 & v34; v36 = v35 >> 14; v37 = v35 & v36; v38 = v37 != 0; v39 = v33 | v38; v40 = 2 * v12; v41 = v40 - 1; v42 = v39 * v41; return v42


def legal0(s):
    v0 = s >> 6; v1 = v0 & 1; v2 = v1 == 0; return v2


def legal1(s):
    v0 = s >> 12; v1 = v0 & 1; v2 = v1 == 0; return v2


def legal2(s):
    v0 = s >> 18; v1 = v0 & 1; v2 = v1 == 0; return v2


def legal3(s):
    v0 = s >> 24; v1 = v0 & 1; v2 = v1 == 0; return v2


def legal4(s):
    v0 = s >> 30; v1 = v0 & 1; v2 = v1 == 0; return v2


def result0(s):
    v0 = s >> 1; v1 = v0 >> 0; v2 = v1 & 63; v3 = v2 >> 1; v4 = v3 & 528349151; v5 = v2 | v4; v6 = v5 >> 2; v7 = v6 & 255652815; v8 = v5 | v7; v9 = v8 >> 4; v10 = v9 & 51130563; v11 = v8 | v10; v12 = v11 >> 1; v13 = v11 - v12; v14 = v13 << 0; v15 = s ^ 1; v16 = s & 1; v17 = 2 - v16; v18 = v14 << v17; v19 = v15 + v18; return v19


def result1(s):
    v0 = s >> 1; v1 = v0 >> 6; v2 = v1 & 63; v3 = v2 >> 1; v4 = v3 & 528349151; v5 = v2 | v4; v6 = v5 >> 2; v7 = v6 & 255652815; v8 = v5 | v7; v9 = v8 >> 4; v10 = v9 & 51130563; v11 = v8 | v10; v12 = v11 >> 1; v13 = v11 - v12; v14 = v13 << 6; v15 = s ^ 1; v16 = s & 1; v17 = 2 - v16; v18 = v14 << v17; v19 = v15 + v18; return v19


def result2(s):
    v0 = s >> 1; v1 = v0 >> 12; v2 = v1 & 63; v3 = v2 >> 1; v4 = v3 & 528349151; v5 = v2 | v4; v6 = v5 >> 2; v7 = v6 & 255652815; v8 = v5 | v7; v9 = v8 >> 4; v10 = v9 & 51130563; v11 = v8 | v10; v12 = v11 >> 1; v13 = v11 - v12; v14 = v13 << 12; v15 = s ^ 1; v16 = s & 1; v17 = 2 - v16; v18 = v14 << v17; v19 = v15 + v18; return v19


def result3(s):
    v0 = s >> 1; v1 = v0 >> 18; v2 = v1 & 63; v3 = v2 >> 1; v4 = v3 & 528349151; v5 = v2 | v4; v6 = v5 >> 2; v7 = v6 & 255652815; v8 = v5 | v7; v9 = v8 >> 4; v10 = v9 & 51130563; v11 = v8 | v10; v12 = v11 >> 1; v13 = v11 - v12; v14 = v13 << 18; v15 = s ^ 1; v16 = s & 1; v17 = 2 - v16; v18 = v14 << v17; v19 = v15 + v18; return v19


def result4(s):
    v0 = s >> 1; v1 = v0 >> 24; v2 = v1 & 63; v3 = v2 >> 1; v4 = v3 & 528349151; v5 = v2 | v4; v6 = v5 >> 2; v7 = v6 & 255652815; v8 = v5 | v7; v9 = v8 >> 4; v10 = v9 & 51130563; v11 = v8 | v10; v12 = v11 >> 1; v13 = v11 - v12; v14 = v13 << 24; v15 = s ^ 1; v16 = s & 1; v17 = 2 - v16; v18 = v14 << v17; v19 = v15 + v18; return v19


def symmetry0(s):
    v0 = s & 1; v1 = s >> 1; v2 = v1 >> 0; v3 = v2 & 63; v4 = v3 << 24; v5 = 0 | v4; v6 = v1 >> 6; v7 = v6 & 63; v8 = v7 << 18; v9 = v5 | v8; v10 = v1 >> 12; v11 = v10 & 63; v12 = v11 << 12; v13 = v9 | v12; v14 = v1 >> 18; v15 = v14 & 63; v16 = v15 << 6; v17 = v13 | v16; v18 = v1 >> 24; v19 = v18 & 63; v20 = v19 << 0; v21 = v17 | v20; v22 = v21 << 1; v23 = v0 | v22; return v23


LEGAL = [legal0, legal1, legal2, legal3, legal4]
RESULT = [result0, result1, result2, result3, result4]
SYMMETRIES = [symmetry0, ]


def actions(s):
    return [a for a in range(5) if LEGAL[a](s)]


def result(s, a):
    return RESULT[a](s)
