def is_terminal(s):
    v0 = s >> 1; v1 = v0 & 511; v2 = s >> 10; v3 = v2 & 511; v4 = v1 >> 1; v5 = v1 & v4; v6 = v5 >> 1; v7 = v5 & v6; v8 = v7 & 73; v9 = 0 | v8; v10 = v1 >> 3; v11 = v1 & v10; v12 = v11 >> 3; v13 = v11 & v12; v14 = v13 & 7; v15 = v9 | v14; v16 = v1 >> 4; v17 = v1 & v16; v18 = v17 >> 4; v19 = v17 & v18; v20 = v19 & 1; v21 = v15 | v20; v22 = v1 >> 2; v23 = v1 & v22; v24 = v23 >> 2; v25 = v23 & v24; v26 = v25 & 4; v27 = v21 | v26; v28 = v27 != 0; v29 = v3 >> 1; v30 = v3 & v29; v31 = v30 >> 1; v32 = v30 & v31; v33 = v32 & 73; v34 = 0 | v33; v35 = v3 >> 3; v36 = v3 & v35; v37 = v36 >> 3; v38 = v36 & v37; v39 = v38 & 7; v40 = v34 | v39; v41 = v3 >> 4; v42 = v3 & v41; v43 = v42 >> 4; v44 = v42 & v43; v45 = v44 & 1; v46 = v40 | v45; v47 = v3 >> 2; v48 = v3 & v47; v49 = v48 >> 2; v50 = v48 & v49; v51 = v50 & 4; v52 = v46 | v51; v53 = v52 != 0; v54 = v28 | v53; v55 = v1 | v3; v56 = v55 == 511; v57 = v54 | v56; return v57


def to_move(s):
    v0 = s & 1; return v0


def utility(s):
    v0 = s >> 1; v1 = v0 & 511; v2 = s >> 10; v3 = v2 & 511; v4 = v1 >> 1; v5 = v1 & v4; v6 = v5 >> 1; v7 = v5 & v6; v8 = v7 & 73; v9 = 0 | v8; v10 = v1 >> 3; v11 = v1 & v10; v12 = v11 >> 3; v13 = v11 & v12; v14 = v13 & 7; v15 = v9 | v14; v16 = v1 >> 4; v17 = v1 & v16; v18 = v17 >> 4; v19 = v17 & v18; v20 = v19 & 1; v21 = v15 | v20; v22 = v1 >> 2; v23 = v1 & v22; v24 = v23 >> 2; v25 = v23 & v24; v26 = v25 & 4; v27 = v21 | v26; v28 = v27 != 0; v29 = 1 * v28; v30 = v3 >> 1; v31 = v3 & v30; v32 = v31 >> 1; v33 = v31 & v32; v34 = v33 & 73; v35 = 0 | v34; v36 = v3 >> 3; v37 = v3 & v36; v38 = v37 >> 3; v39 = v37 & v38; v40 = v39 & 7; v41 = v35 | v40; v42 = v3 >> 4; v43 = v3 & v42; v44 = v43 >> 4; v45 = v43 & v44; v46 = v45 & 1; v47 = v41 | v46; v48 = v3 >> 2; v49 = v3 & v48; v50 = v49 >> 2; v51 = v49 & v50; v52 = v51 & 4; v53 = v47 | v52; v54 = v53 != 0; v55 = 1 * v54; v56 = v29 - v55; return v56


def legal0(s):
    v0 = s >> 1; v1 = s >> 10; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal1(s):
    v0 = s >> 2; v1 = s >> 11; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal2(s):
    v0 = s >> 3; v1 = s >> 12; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal3(s):
    v0 = s >> 4; v1 = s >> 13; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal4(s):
    v0 = s >> 5; v1 = s >> 14; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal5(s):
    v0 = s >> 6; v1 = s >> 15; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal6(s):
    v0 = s >> 7; v1 = s >> 16; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal7(s):
    v0 = s >> 8; v1 = s >> 17; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def legal8(s):
    v0 = s >> 9; v1 = s >> 18; v2 = v0 | v1; v3 = v2 & 1; v4 = v3 == 0; return v4


def result0(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 1 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result1(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 2 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result2(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 3 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result3(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 4 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result4(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 5 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result5(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 6 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result6(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 7 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result7(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 8 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def result8(s):
    v0 = s & 1; v1 = s ^ 1; v2 = 9 * v0; v3 = 9 + v2; v4 = 1 << v3; v5 = v1 + v4; return v5


def symmetry0(s):
    v0 = s & 1; v1 = s & 74898; v2 = v1 << 2; v3 = v0 | v2; v4 = s & 149796; v5 = v4 >> 0; v6 = v3 | v5; v7 = s & 299592; v8 = v7 >> 2; v9 = v6 | v8; return v9


def symmetry1(s):
    v0 = s & 1; v1 = s & 7182; v2 = v1 << 6; v3 = v0 | v2; v4 = s & 57456; v5 = v4 >> 0; v6 = v3 | v5; v7 = s & 459648; v8 = v7 >> 6; v9 = v6 | v8; return v9


def symmetry2(s):
    v0 = s & 1; v1 = s & 1026; v2 = v1 << 8; v3 = v0 | v2; v4 = s & 2052; v5 = v4 << 6; v6 = v3 | v5; v7 = s & 4104; v8 = v7 << 4; v9 = v6 | v8; v10 = s & 8208; v11 = v10 << 2; v12 = v9 | v11; v13 = s & 16416; v14 = v13 >> 0; v15 = v12 | v14; v16 = s & 32832; v17 = v16 >> 2; v18 = v15 | v17; v19 = s & 65664; v20 = v19 >> 4; v21 = v18 | v20; v22 = s & 131328; v23 = v22 >> 6; v24 = v21 | v23; v25 = s & 262656; v26 = v25 >> 8; v27 = v24 | v26; return v27


def symmetry3(s):
    v0 = s & 1; v1 = s & 280098; v2 = v1 >> 0; v3 = v0 | v2; v4 = s & 34884; v5 = v4 << 2; v6 = v3 | v5; v7 = s & 4104; v8 = v7 << 4; v9 = v6 | v8; v10 = s & 139536; v11 = v10 >> 2; v12 = v9 | v11; v13 = s & 65664; v14 = v13 >> 4; v15 = v12 | v14; return v15


def symmetry4(s):
    v0 = s & 1; v1 = s & 1026; v2 = v1 << 6; v3 = v0 | v2; v4 = s & 67716; v5 = v4 << 2; v6 = v3 | v5; v7 = s & 135432; v8 = v7 >> 2; v9 = v6 | v8; v10 = s & 8208; v11 = v10 << 4; v12 = v9 | v11; v13 = s & 16416; v14 = v13 >> 0; v15 = v12 | v14; v16 = s & 32832; v17 = v16 >> 4; v18 = v15 | v17; v19 = s & 262656; v20 = v19 >> 6; v21 = v18 | v20; return v21


def symmetry5(s):
    v0 = s & 1; v1 = s & 33858; v2 = v1 << 2; v3 = v0 | v2; v4 = s & 2052; v5 = v4 << 4; v6 = v3 | v5; v7 = s & 4104; v8 = v7 << 6; v9 = v6 | v8; v10 = s & 270864; v11 = v10 >> 2; v12 = v9 | v11; v13 = s & 16416; v14 = v13 >> 0; v15 = v12 | v14; v16 = s & 65664; v17 = v16 >> 6; v18 = v15 | v17; v19 = s & 131328; v20 = v19 >> 4; v21 = v18 | v20; return v21


def symmetry6(s):
    v0 = s & 1; v1 = s & 1026; v2 = v1 << 8; v3 = v0 | v2; v4 = s & 10260; v5 = v4 << 4; v6 = v3 | v5; v7 = s & 86184; v8 = v7 >> 0; v9 = v6 | v8; v10 = s & 164160; v11 = v10 >> 4; v12 = v9 | v11; v13 = s & 262656; v14 = v13 >> 8; v15 = v12 | v14; return v15


LEGAL = [legal0, legal1, legal2, legal3, legal4, legal5, legal6, legal7, legal8]
RESULT = [result0, result1, result2, result3, result4, result5, result6, result7, result8]
SYMMETRIES = [symmetry0, symmetry1, symmetry2, symmetry3, symmetry4, symmetry5, symmetry6, ]


def actions(s):
    return [a for a in range(9) if LEGAL[a](s)]


def result(s, a):
    return RESULT[a](s)
