/** The YQL subset of the emulator: schema statements, row writes, queries and expressions. Keywords have no case. */
grammar Yql;

options {
    caseInsensitive = true;
}

script
    : SEMICOLON* (statement (SEMICOLON+ statement)*)? SEMICOLON* EOF
    ;

statement
    : pragma
    | declare
    | assignment
    | createTable
    | alterTable
    | dropTable
    | createTopic
    | alterTopic
    | dropTopic
    | write
    | update
    | delete
    | query
    ;

pragma
    : PRAGMA name (DOT name)? (EQUALS literal | LPAREN literal (COMMA literal)* RPAREN)?
    ;

declare
    : DECLARE VARIABLE AS typeName
    ;

assignment
    : VARIABLE EQUALS (bareQuery | expression)
    ;

// ---------------------------------------------------------------------------------------------- schema statements

createTable
    : CREATE TABLE (IF NOT EXISTS)? path LPAREN tableItem (COMMA tableItem)* COMMA? RPAREN (WITH settings)?
    ;

tableItem
    : PRIMARY KEY LPAREN names RPAREN # primaryKeyItem
    | INDEX name GLOBAL? indexKind* ON LPAREN names RPAREN (COVER LPAREN names RPAREN)? (WITH settings)? # indexItem
    | CHANGEFEED name WITH settings # changefeedItem
    | FAMILY name LPAREN settingList? RPAREN # familyItem
    | columnDefinition # columnItem
    ;

indexKind
    : SYNC
    | ASYNC
    | UNIQUE
    | USING name
    ;

columnDefinition
    : name typeName columnOption*
    ;

columnOption
    : NOT NULL # notNullOption
    | NULL # nullOption
    | DEFAULT expression # defaultOption
    | FAMILY name # familyOption
    ;

alterTable
    : ALTER TABLE path tableChange (COMMA tableChange)*
    ;

tableChange
    : ADD COLUMN? columnDefinition # addColumn
    | DROP COLUMN? name # dropColumn
    | ADD CHANGEFEED name WITH settings # addChangefeed
    | DROP CHANGEFEED name # dropChangefeed
    | SET settings # setSettings
    | RESET LPAREN names RPAREN # resetSettings
    | ADD INDEX name GLOBAL? indexKind* ON LPAREN names RPAREN (COVER LPAREN names RPAREN)? (WITH settings)? # addIndex
    | DROP INDEX name # dropIndex
    | RENAME INDEX name TO name # renameIndex
    | RENAME TO path # renameTable
    ;

dropTable
    : DROP TABLE (IF EXISTS)? path
    ;

createTopic
    : CREATE TOPIC (IF NOT EXISTS)? path (LPAREN consumer (COMMA consumer)* COMMA? RPAREN)? (WITH settings)?
    ;

consumer
    : CONSUMER name (WITH settings)?
    ;

alterTopic
    : ALTER TOPIC path topicChange (COMMA topicChange)*
    ;

topicChange
    : ADD consumer # addConsumer
    | DROP CONSUMER name # dropConsumer
    | ALTER CONSUMER name SET settings # alterConsumer
    | SET settings # setTopicSettings
    | RESET LPAREN names RPAREN # resetTopicSettings
    ;

dropTopic
    : DROP TOPIC (IF EXISTS)? path
    ;

settings
    : LPAREN settingList? RPAREN
    ;

settingList
    : setting (COMMA setting)* COMMA?
    ;

setting
    : name EQUALS settingValue
    ;

settingValue
    : LPAREN expression (COMMA expression)* COMMA? RPAREN # listSetting
    | expression (ON name (AS name)?)? # expressionSetting
    ;

// ---------------------------------------------------------------------------------------------- row writes

write
    : kind = (INSERT | UPSERT | REPLACE) INTO path (LPAREN names COMMA? RPAREN)? writeSource returning?
    ;

writeSource
    : VALUES valuesRow (COMMA valuesRow)* # valuesSource
    | query # querySource
    ;

valuesRow
    : LPAREN expression (COMMA expression)* RPAREN
    ;

update
    : UPDATE path SET setItem (COMMA setItem)* (WHERE expression)? returning? # updateWhere
    | UPDATE path ON (LPAREN names RPAREN)? writeSource returning? # updateOn
    ;

setItem
    : name EQUALS expression
    ;

delete
    : DELETE FROM path (WHERE expression)? returning? # deleteWhere
    | DELETE FROM path ON (LPAREN names RPAREN)? writeSource returning? # deleteOn
    ;

returning
    : RETURNING (STAR | names)
    ;

// ---------------------------------------------------------------------------------------------- queries

query
    : queryPart (UNION ALL queryPart)* orderBy? limit?
    ;

bareQuery
    : selectCore (UNION ALL queryPart)* orderBy? limit?
    ;

queryPart
    : selectCore
    | LPAREN query RPAREN
    ;

selectCore
    : SELECT (DISTINCT | ALL)? selectItem (COMMA selectItem)* COMMA? (FROM from)? (WHERE where = expression)? (
        GROUP BY groupItem (COMMA groupItem)*
    )? (HAVING having = expression)?
    | FROM from (WHERE where = expression)? (GROUP BY groupItem (COMMA groupItem)*)? SELECT (DISTINCT | ALL)? selectItem (
        COMMA selectItem
    )* COMMA? (HAVING having = expression)?
    ;

selectItem
    : STAR # starItem
    | name DOT STAR # sourceStarItem
    | expression (AS? alias = name)? # valueItem
    ;

groupItem
    : expression (AS name)?
    ;

from
    : source (joinKind source (ON expression | USING LPAREN names RPAREN | USING name)?)*
    ;

joinKind
    : INNER? JOIN # innerJoin
    | LEFT OUTER? JOIN # leftJoin
    | RIGHT OUTER? JOIN # rightJoin
    | FULL OUTER? JOIN # fullJoin
    | CROSS JOIN # crossJoin
    | (LEFT | RIGHT) (SEMIJOIN | ONLY) JOIN # semiJoin
    | EXCLUSION JOIN # exclusionJoin
    ;

source
    : sourceBase (AS? alias = name)?
    ;

sourceBase
    : AS_TABLE LPAREN expression RPAREN # listSource
    | VARIABLE # variableSource
    | LPAREN query RPAREN # subquerySource
    | path (VIEW name)? # tableSource
    ;

orderBy
    : ORDER BY orderItem (COMMA orderItem)*
    ;

orderItem
    : expression (ASC | DESC)?
    ;

limit
    : LIMIT count = expression (OFFSET offset = expression | COMMA second = expression)?
    ;

// ---------------------------------------------------------------------------------------------- expressions

expression
    : condition # conditionExpression
    | expression XOR expression # xorExpression
    | expression AND expression # andExpression
    | expression OR expression # orExpression
    ;

condition
    : term conditionTail?
    ;

conditionTail
    : (equalityOperator term)+ # equalityTail
    | NOT? IN COMPACT? term # inTail
    | NOT? BETWEEN SYMMETRIC? term AND term # betweenTail
    | IS NOT? NULL # isNullTail
    | ISNULL # isNullTail2
    | NOTNULL # notNullTail
    | IS NOT? DISTINCT FROM term # distinctTail
    | NOT? kind = (LIKE | ILIKE | REGEXP | RLIKE | MATCH) term (ESCAPE term)? # likeTail
    ;

equalityOperator
    : EQUALS
    | EQUALS2
    | NOT_EQUALS
    | LESS_GREATER
    ;

term
    : unit # unitTerm
    | op = (PLUS | MINUS | TILDE | NOT) term # unaryTerm
    | term CONCAT term # concatTerm
    | term op = (STAR | SLASH | PERCENT) term # binaryTerm
    | term op = (PLUS | MINUS) term # binaryTerm
    | term shift term # shiftTerm
    | term op = (AMPERSAND | PIPE | CARET) term # binaryTerm
    | <assoc = right> term QUESTIONS term # coalesceTerm
    | term op = (LESS | LESS_EQUALS | GREATER | GREATER_EQUALS) term # binaryTerm
    ;

shift
    : SHIFT_LEFT
    | GREATER GREATER
    ;

unit
    : unit DOT (name | INTEGER) # memberUnit
    | unit LBRACKET expression RBRACKET # indexUnit
    | unit LPAREN arguments? RPAREN # applyUnit
    | literal # literalUnit
    | VARIABLE # variableUnit
    | CAST LPAREN expression AS typeName RPAREN # castUnit
    | NOTHING LPAREN typeName RPAREN # nothingUnit
    | CASE operand = expression? (WHEN expression THEN expression)+ (ELSE otherwise = expression)? END # caseUnit
    | functionName LPAREN (DISTINCT? arguments | STAR)? RPAREN # callUnit
    | name # nameUnit
    | EXISTS LPAREN query RPAREN # existsUnit
    | LPAREN query RPAREN # subqueryUnit
    | lambda # lambdaUnit
    | LPAREN expression RPAREN # groupUnit
    | LPAREN (expression COMMA (expression (COMMA expression)* COMMA?)?)? RPAREN # tupleUnit
    | LBRACKET (expression (COMMA expression)* COMMA?)? RBRACKET # listUnit
    | STRUCT_OPEN (structMember (COMMA structMember)* COMMA?)? STRUCT_CLOSE # structUnit
    | LBRACE (dictMember (COMMA dictMember)* COMMA?)? RBRACE # dictUnit
    ;

lambda
    : LPAREN (VARIABLE (COMMA VARIABLE)*)? COMMA? RPAREN ARROW (
        LPAREN expression RPAREN
        | LBRACE (assignment SEMICOLON+)* RETURN expression SEMICOLON* RBRACE
    )
    ;

arguments
    : argument (COMMA argument)* COMMA?
    ;

argument
    : expression (AS name)?
    ;

structMember
    : (name | STRING) COLON expression
    ;

dictMember
    : expression (COLON expression)?
    ;

functionName
    : name (NAMESPACE name)?
    ;

literal
    : NULL # nullLiteral
    | TRUE # trueLiteral
    | FALSE # falseLiteral
    | STRING # stringLiteral
    | INTEGER # integerLiteral
    | REAL # realLiteral
    ;

// ---------------------------------------------------------------------------------------------- types

typeName
    : typeBase (QUESTION | QUESTIONS)*
    ;

typeBase
    : DECIMAL LPAREN INTEGER COMMA INTEGER RPAREN # decimalType
    | OPTIONAL LESS typeName GREATER # optionalType
    | LIST LESS typeName GREATER # listType
    | TUPLE (LESS (typeName (COMMA typeName)*)? GREATER | LESS_GREATER) # tupleType
    | STRUCT (LESS (memberType (COMMA memberType)*)? GREATER | LESS_GREATER) # structType
    | DICT LESS typeName COMMA typeName GREATER # dictType
    | name # simpleType
    ;

memberType
    : (name | STRING) COLON typeName
    ;

// ---------------------------------------------------------------------------------------------- names

path
    : name
    ;

names
    : name (COMMA name)*
    ;

name
    : IDENTIFIER
    | QUOTED
    | word
    ;

/** Keywords that are ordinary names elsewhere. */
word
    : ADD | ALTER | ASC | ASYNC | CHANGEFEED | COLUMN | COMPACT | CONSUMER | COVER | DECIMAL | DECLARE | DEFAULT | DESC
    | DICT | FAMILY | GLOBAL | IF | ILIKE | INDEX | INTO | ISNULL | KEY | LIST | MATCH | NOTNULL
    | OFFSET | OPTIONAL | PRAGMA | PRIMARY | REGEXP | RENAME | REPLACE | RESET | RETURN | RLIKE | STRUCT | SYMMETRIC
    | SYNC | TABLE | TO | TOPIC | TUPLE | UNIQUE | UPDATE | UPSERT | VALUES | VIEW
    ;

// ---------------------------------------------------------------------------------------------- tokens

ADD: 'add';
ALL: 'all';
ALTER: 'alter';
AND: 'and';
AS: 'as';
ASC: 'asc';
ASYNC: 'async';
AS_TABLE: 'as_table';
BETWEEN: 'between';
BY: 'by';
CASE: 'case';
CAST: 'cast';
CHANGEFEED: 'changefeed';
COLUMN: 'column';
COMPACT: 'compact';
CONSUMER: 'consumer';
COVER: 'cover';
CREATE: 'create';
CROSS: 'cross';
DECIMAL: 'decimal';
DECLARE: 'declare';
DEFAULT: 'default';
DELETE: 'delete';
DESC: 'desc';
DICT: 'dict';
DISTINCT: 'distinct';
DROP: 'drop';
ELSE: 'else';
END: 'end';
ESCAPE: 'escape';
EXCLUSION: 'exclusion';
EXISTS: 'exists';
FALSE: 'false';
FAMILY: 'family';
FROM: 'from';
FULL: 'full';
GLOBAL: 'global';
GROUP: 'group';
HAVING: 'having';
IF: 'if';
ILIKE: 'ilike';
IN: 'in';
INDEX: 'index';
INNER: 'inner';
INSERT: 'insert';
INTO: 'into';
IS: 'is';
ISNULL: 'isnull';
JOIN: 'join';
KEY: 'key';
LEFT: 'left';
LIKE: 'like';
LIMIT: 'limit';
LIST: 'list';
MATCH: 'match';
NOT: 'not';
NOTHING: 'nothing';
NOTNULL: 'notnull';
NULL: 'null';
OFFSET: 'offset';
ON: 'on';
ONLY: 'only';
OPTIONAL: 'optional';
OR: 'or';
ORDER: 'order';
OUTER: 'outer';
PRAGMA: 'pragma';
PRIMARY: 'primary';
REGEXP: 'regexp';
RENAME: 'rename';
REPLACE: 'replace';
RESET: 'reset';
RETURN: 'return';
RETURNING: 'returning';
RIGHT: 'right';
RLIKE: 'rlike';
SELECT: 'select';
SEMIJOIN: 'semi';
SET: 'set';
STRUCT: 'struct';
SYMMETRIC: 'symmetric';
SYNC: 'sync';
TABLE: 'table';
THEN: 'then';
TO: 'to';
TOPIC: 'topic';
TRUE: 'true';
TUPLE: 'tuple';
UNION: 'union';
UNIQUE: 'unique';
UPDATE: 'update';
UPSERT: 'upsert';
USING: 'using';
VALUES: 'values';
VIEW: 'view';
WHEN: 'when';
WHERE: 'where';
WITH: 'with';
XOR: 'xor';

ARROW: '->';
STRUCT_OPEN: '<|';
STRUCT_CLOSE: '|>';
NAMESPACE: '::';
CONCAT: '||';
QUESTIONS: '??';
QUESTION: '?';
EQUALS2: '==';
EQUALS: '=';
NOT_EQUALS: '!=';
LESS_GREATER: '<>';
LESS_EQUALS: '<=';
GREATER_EQUALS: '>=';
SHIFT_LEFT: '<<';
LESS: '<';
GREATER: '>';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';
TILDE: '~';
AMPERSAND: '&';
PIPE: '|';
CARET: '^';
LPAREN: '(';
RPAREN: ')';
LBRACKET: '[';
RBRACKET: ']';
LBRACE: '{';
RBRACE: '}';
COMMA: ',';
SEMICOLON: ';';
COLON: ':';
DOT: '.';

STRING
    : ('\'' (~['\\] | '\\' .)* '\'' | '"' (~["\\] | '\\' .)* '"' | '@@' (~'@' | '@' ~'@' | '@@@@')* '@@') [usyj]?
    ;

REAL
    : DIGIT+ '.' DIGIT* EXPONENT? 'f'?
    | DIGIT+ EXPONENT 'f'?
    | DIGIT+ 'f'
    ;

INTEGER
    : (DIGIT+ | '0x' [0-9a-f]+ | '0o' [0-7]+ | '0b' [01]+) (
        'ut' | 'us' | 'ul' | 'u' | 't' | 's' | 'l'
    )?
    ;

VARIABLE
    : '$' [a-z_] [a-z0-9_]*
    | '$' '`' (~[`\\] | '\\' .)+ '`'
    ;

IDENTIFIER
    : [a-z_] [a-z0-9_]*
    ;

QUOTED
    : '`' (~[`\\] | '\\' .)* '`'
    ;

COMMENT
    : ('--' ~[\r\n]* | '/*' .*? '*/') -> skip
    ;

SPACE
    : [ \t\r\n\f\uFEFF]+ -> skip
    ;

/** Whatever else: the parser then names the character and its place. */
UNKNOWN
    : .
    ;

fragment DIGIT
    : [0-9]
    ;

fragment EXPONENT
    : 'e' [+-]? DIGIT+
    ;
