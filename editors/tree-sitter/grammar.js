// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Grammar of scripts for tree-sitter.
 *
 * The rules have the names of those in translator/lang/parser.c and parse_*.c. Differences:
 *
 * - There is no preprocessor. "%( condition %? ... %: ... %)" is a node whose branches are definitions, statements,
 *   points or an expression, like its surroundings. The body of a macro is only a list of tokens, because a macro may
 *   expand to anything.
 * - "@name" is one node for macros and operators. Only the queries tell them apart.
 *
 * Statements need no separator, so some tokens depend on line ends or on what follows. The external scanner
 * (src/scanner.c) decides them: a postfix "++" or "--", the "[" after a call or an index, and a "%(" that continues an
 * expression. It also reads C code up to "%}".
 */

// From loose to tight, as in translator/lang/operators.h.
const PRECEDENCE = {
  statement: -1,
  assign: 1,
  conditional: 2,
  unary: 20,
  postfix: 21,
};

const BINARY = [
  [3, '||'],
  [4, '&&'],
  [5, '|'],
  [6, '^'],
  [7, '&'],
  [9, choice('==', '!=', '=~', '!~')],
  [10, choice('<', '>', '<=', '>=')],
  [11, choice('<<', '>>', '>>>')],
  [12, '.'],
  [13, choice('+', '-')],
  [14, choice('*', '/', '%')],
];
const MEMBERSHIP = 8;

const ASSIGNMENTS = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '.=', '<<<'];

// All operators, for macros. The brackets of the preprocessor are not among them.
const OPERATORS = [
  ...ASSIGNMENTS, '||', '&&', '|', '^', '&', '==', '!=', '=~', '!~', '<', '>', '<=', '>=', '<<', '>>', '>>>', '.', '+',
  '-', '*', '/', '%', '!', '~', '++', '--', '->', '?', ':', ';', ',', '(', ')', '[', ']', '{', '}', '$', '$$',
];

const list = (rule) => seq(rule, repeat(seq(',', rule)));

// The preprocessor's conditional around things of one kind.
const conditional = ($, branch, opening = '%(') =>
  seq(
    opening,
    field('condition', $._expression),
    '%?',
    optional(field('consequence', branch)),
    optional(seq('%:', optional(field('alternative', branch)))),
    '%)',
  );

module.exports = grammar({
  name: 'systemtap',

  word: ($) => $.identifier,

  externals: ($) => [$._postfix_increment, $._postfix_decrement, $._index_bracket, $._operation_bracket, $.c_code],

  extras: ($) => [/\s/, /\\\r?\n/, $.comment],

  supertypes: ($) => [$._definition, $._statement, $._expression],

  // A conditional at the beginning of a statement holds statements, or is the beginning of an expression.
  conflicts: ($) => [
    [$.expression_statement, $._expression_branch],
    [$.statement_conditional, $.expression_conditional],
    [$.embedded_statement, $._expression],
  ],

  rules: {
    script: ($) => repeat($._definition),

    _definition: ($) =>
      choice(
        $.probe,
        $.alias,
        $.function,
        $.globals,
        $.macro,
        $.embedded_code,
        alias($.definition_conditional, $.preprocessor_conditional),
        $.at_expression,
        ';',
      ),

    definition_conditional: ($) => conditional($, $._definition_branch),
    // A name that is no definition stands for "not supported" in a branch.
    _definition_branch: ($) => choice(repeat1($._definition), $.identifier),

    // Probes

    probe: ($) => seq(optional('private'), 'probe', field('points', $.points), field('body', $._body)),

    _body: ($) => choice($.block, $.at_expression),

    alias: ($) =>
      seq(
        optional('private'),
        'probe',
        field('names', $.points),
        choice(
          seq(
            '=',
            field('points', $.points),
            field('prologue', $._body),
            optional(seq(',', field('epilogue', $._body))),
          ),
          seq('+=', field('points', $.points), field('epilogue', $._body)),
        ),
      ),

    points: ($) => list($.point),

    point: ($) =>
      seq(
        $._part,
        repeat(seq('.', $._part)),
        optional(choice('?', '!')),
        optional(seq('if', '(', field('condition', $._expression), ')')),
      ),

    _part: ($) =>
      choice($.component, $.alternatives, alias($.point_conditional, $.preprocessor_conditional)),

    component: ($) =>
      seq(
        field('name', choice($.component_name, $.at_expression, $.script_argument)),
        optional(
          seq('(', field('argument', choice($._expression, alias($.argument_string, $.concatenated_string))), ')'),
        ),
      ),

    // Here no statement can follow, so macros may be parts of a literal.
    argument_string: ($) =>
      choice(
        seq($.string, $.at_expression, repeat($._string_part)),
        seq($.at_expression, repeat1($._string_part)),
      ),
    _string_part: ($) => choice($.string, $.script_argument, $.at_expression),

    component_name: () => /[A-Za-z_*][A-Za-z0-9_$*]*/,

    alternatives: ($) => seq('{', $.points, '}'),

    point_conditional: ($) => conditional($, $.points),

    // Functions, variables and macros

    function: ($) =>
      seq(
        optional('private'),
        'function',
        field('name', $.identifier),
        optional(seq(':', field('type', $.type))),
        field('parameters', $.parameters),
        optional(seq(':', field('priority', $.number))),
        field('body', choice($.block, $.embedded_code)),
      ),

    parameters: ($) => seq('(', optional(list($.parameter)), ')'),
    parameter: ($) => seq(field('name', $.identifier), optional(seq(':', field('type', $.type)))),
    type: () => choice('long', 'string'),

    globals: ($) =>
      prec.right(seq(choice('global', seq('private', optional('global'))), list($.global), optional(';'))),

    global: ($) =>
      seq(
        field('name', $.identifier),
        optional('%'),
        optional(seq('[', field('size', choice($.number, $.script_argument, $.at_expression)), ']', optional('%'))),
        optional(seq('=', field('value', $._expression))),
      ),

    macro: ($) =>
      seq(
        '@define',
        field('name', $.identifier),
        optional(seq('(', optional(list(field('parameter', $.identifier))), ')')),
        '%(',
        field('body', optional($.macro_body)),
        '%)',
      ),

    macro_body: ($) => repeat1($._token),

    _token: ($) =>
      choice(
        $.identifier,
        $.number,
        $.string,
        $.target_variable,
        $.script_argument,
        $.at_name,
        $.embedded_code,
        alias($.token_conditional, $.preprocessor_conditional),
        ...OPERATORS,
      ),

    token_conditional: ($) =>
      seq('%(', repeat($._token), '%?', repeat($._token), optional(seq('%:', repeat($._token))), '%)'),

    // Statements

    block: ($) => seq('{', repeat($._statement), '}'),

    _statement: ($) =>
      choice(
        $.block,
        $.if_statement,
        $.while_statement,
        $.for_statement,
        $.foreach_statement,
        $.return_statement,
        $.jump_statement,
        $.delete_statement,
        $.try_statement,
        $.embedded_statement,
        $.expression_statement,
        alias($.statement_conditional, $.preprocessor_conditional),
        ';',
      ),

    statement_conditional: ($) => conditional($, $._statement_branch),
    _statement_branch: ($) => repeat1($._statement),

    if_statement: ($) =>
      prec.right(
        seq(
          'if',
          '(',
          field('condition', $._expression),
          ')',
          field('consequence', $._statement),
          optional(seq('else', field('alternative', $._statement))),
        ),
      ),

    while_statement: ($) => seq('while', '(', field('condition', $._expression), ')', field('body', $._statement)),

    for_statement: ($) =>
      seq(
        'for',
        '(',
        optional(field('initial', $._expression)),
        ';',
        optional(field('condition', $._expression)),
        ';',
        optional(field('step', $._expression)),
        ')',
        field('body', $._statement),
      ),

    foreach_statement: ($) =>
      seq(
        'foreach',
        '(',
        optional(seq(field('value', $._variable), choice('+=', '-=', seq(optional($.sort), '=')))),
        choice($._key, seq('[', list($._key), ']')),
        'in',
        field('array', choice($._variable, $.script_argument)),
        optional($._array_sort),
        optional(seq(field('slice', $.keys), optional($._array_sort))),
        optional(seq('limit', field('limit', $._expression))),
        ')',
        field('body', $._statement),
      ),

    _variable: ($) => choice($.identifier, $.at_expression),
    _key: ($) => seq(field('key', $._variable), optional($.sort)),
    _array_sort: ($) => seq(optional(field('statistic', $.at_name)), $.sort),
    sort: () => choice('+', '-'),

    return_statement: ($) => prec.right(PRECEDENCE.statement, seq('return', optional($._expression), optional(';'))),

    jump_statement: () => prec.right(seq(choice('next', 'break', 'continue'), optional(';'))),

    delete_statement: ($) => prec.right(PRECEDENCE.statement, seq('delete', $._expression, optional(';'))),

    try_statement: ($) =>
      seq(
        'try',
        field('body', $.block),
        'catch',
        optional(seq('(', field('message', $._variable), ')')),
        field('handler', $.block),
      ),

    // C code that begins a statement is a statement.
    embedded_statement: ($) => prec.dynamic(1, $.embedded_code),

    expression_statement: ($) => prec.right(PRECEDENCE.statement, seq($._expression, optional(';'))),

    // Expressions

    _expression: ($) =>
      choice(
        $.number,
        $.string,
        $.concatenated_string,
        $.identifier,
        $.target_variable,
        $.script_argument,
        $.at_expression,
        $.embedded_code,
        $.parenthesized_expression,
        $.call,
        $.index_expression,
        $.member_expression,
        $.pretty_expression,
        $.unary_expression,
        $.update_expression,
        $.binary_expression,
        $.membership_expression,
        $.conditional_expression,
        $.assignment_expression,
        $.extended_expression,
        alias($.expression_conditional, $.preprocessor_conditional),
      ),

    // "a < 0 %( condition %? || b %)": a conditional around an operator and what follows it.
    extended_expression: ($) =>
      prec.left(PRECEDENCE.assign, seq($._expression, alias($.operation_conditional, $.preprocessor_conditional))),
    operation_conditional: ($) => conditional($, $._operation, alias($._operation_bracket, '%(')),
    _operation: ($) =>
      choice(seq(choice(...BINARY.map(([, operator]) => operator)), $._expression), seq('->', $.identifier), $.keys),

    expression_conditional: ($) => prec.dynamic(-1, conditional($, $._expression_branch)),
    _expression_branch: ($) => prec(PRECEDENCE.statement, list($._expression)),

    assignment_expression: ($) =>
      prec.right(
        PRECEDENCE.assign,
        seq(field('left', $._expression), field('operator', choice(...ASSIGNMENTS)), field('right', $._expression)),
      ),

    conditional_expression: ($) =>
      prec.right(
        PRECEDENCE.conditional,
        seq(
          field('condition', $._expression),
          '?',
          field('consequence', $._expression),
          ':',
          field('alternative', $._expression),
        ),
      ),

    binary_expression: ($) =>
      choice(
        ...BINARY.map(([precedence, operator]) =>
          prec.left(
            precedence,
            seq(field('left', $._expression), field('operator', operator), field('right', $._expression)),
          ),
        ),
      ),

    membership_expression: ($) =>
      prec.left(
        MEMBERSHIP,
        seq(field('keys', choice($._expression, $.keys)), 'in', field('array', choice($._variable, $.script_argument))),
      ),

    keys: ($) => seq('[', list(choice($._expression, $.any_key)), ']'),
    any_key: () => '*',

    unary_expression: ($) =>
      prec.right(
        PRECEDENCE.unary,
        seq(field('operator', choice('-', '+', '!', '~', '&')), field('operand', $._expression)),
      ),

    update_expression: ($) =>
      choice(
        prec.right(PRECEDENCE.unary, seq(field('operator', choice('++', '--')), field('operand', $._expression))),
        prec.left(
          PRECEDENCE.postfix,
          seq(
            field('operand', $._expression),
            field('operator', choice(alias($._postfix_increment, '++'), alias($._postfix_decrement, '--'))),
          ),
        ),
      ),

    parenthesized_expression: ($) => seq('(', $._expression, ')'),

    call: ($) => prec(PRECEDENCE.postfix, seq(field('function', $.identifier), field('arguments', $.arguments))),

    arguments: ($) => seq('(', optional(list($._expression)), ')'),

    at_expression: ($) =>
      prec.right(PRECEDENCE.postfix, seq(field('name', $.at_name), optional(field('arguments', $.arguments)))),

    // The bracket of an element may be on another line, unless it follows a call or another element.
    index_expression: ($) =>
      prec.left(
        PRECEDENCE.postfix,
        choice(
          seq(
            field(
              'array',
              choice(
                $.identifier,
                $.target_variable,
                $.at_expression,
                $.member_expression,
                $.parenthesized_expression,
                $.script_argument,
              ),
            ),
            field('keys', $.keys),
          ),
          seq(
            field('array', choice($.call, $.index_expression)),
            field('keys', alias($._keys_on_line, $.keys)),
          ),
        ),
      ),

    _keys_on_line: ($) => seq(alias($._index_bracket, '['), list(choice($._expression, $.any_key)), ']'),

    member_expression: ($) =>
      prec.left(
        PRECEDENCE.postfix,
        seq(
          field('object', $._expression),
          '->',
          field('member', choice(alias($.identifier, $.member), $.at_expression, $.script_argument)),
        ),
      ),

    // "$" or "$$" after "]" or ")" prints a structure.
    pretty_expression: ($) => prec.left(PRECEDENCE.postfix, seq($._expression, choice('$', '$$'))),

    // Leaves

    comment: () => token(choice(seq(choice('#', '//'), /[^\n]*/), seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'))),

    identifier: () => /[A-Za-z_][A-Za-z0-9_$]*/,
    number: () => /0[xX][0-9a-fA-F]+|[0-9]+/,
    target_variable: () => /\$\$?[A-Za-z_][A-Za-z0-9_$]*/,
    script_argument: () => /[$@]([0-9]+|[#*])/,
    at_name: () => /@[A-Za-z_][A-Za-z0-9_$]*/,

    string: ($) =>
      seq(
        '"',
        repeat(choice(alias(token.immediate(prec(1, /[^"\\\n]+/)), $.string_content), $.escape_sequence)),
        token.immediate('"'),
      ),
    escape_sequence: () => token.immediate(/\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|(.|\n))/),

    // Adjacent literals are one.
    concatenated_string: ($) =>
      prec.right(
        PRECEDENCE.postfix,
        choice(
          seq($.string, repeat1(choice($.string, $.script_argument))),
          seq($.script_argument, $.string, repeat(choice($.string, $.script_argument))),
        ),
      ),

    embedded_code: ($) => seq('%{', optional($.c_code), '%}'),
  },
});
