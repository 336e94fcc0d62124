/**
 * HTML elements with their DocBook and DITA equivalents. Elements not listed become `span`, which shows its content.
 */
const names: Record<string, string> = {
  div:
    'para simpara formalpara p shortdesc abstract example informalexample figure informalfigure fig sidebar sectiondiv bodydiv ' +
    'refbodydiv conbodydiv cmd stepxmp stepresult itemgroup answer mediaobject screenshot equation informalequation desc body ' +
    'conbody taskbody refbody troublebody prereq context result postreq tasktroubleshooting condition cause remedy stepsection ' +
    'refpurpose glossBody glossdef packagesynopsis textobject caption linkpool linklist related-links address lines subtitle ' +
    'attribution div steptroubleshooting screenco programlistingco',
  ul: 'itemizedlist ul sl choices steps-unordered stepalternatives simplelist',
  ol: 'orderedlist ol procedure steps substeps calloutlist',
  li: 'listitem li sli choice step substep member callout',
  dl: 'variablelist glosslist dl parml',
  dt: 'dt pt',
  dd: 'dd pd',
  table: 'table informaltable simpletable choicetable properties segmentedlist',
  thead: 'thead',
  tbody: 'tbody',
  tfoot: 'tfoot',
  tr: 'row strow chrow property seglistitem sthead chhead prophead tr',
  td: 'entry stentry choption chdesc proptype propvalue propdesc td seg',
  th: 'th segtitle choptionhd chdeschd proptypehd propvaluehd propdeschd',
  pre: 'programlisting screen synopsis literallayout codeblock msgblock pre syntaxdiagram',
  code:
    'literal code function methodname filename option varname command parameter type constant classname interfacename ' +
    'exceptionname envar userinput computeroutput prompt property structname structfield enumname enumvalue tag sgmltag ' +
    'symbol token returnvalue errorcode errorname errortype markup initializer modifier package uri keysym keycap keycode email ' +
    'codeph cmdname parmname filepath xmlelement xmlatt xmlnsname xmlpi textentity parameterentity numcharref apiname ' +
    'systemoutput msgph msgnum kwd synph tt shortcut',
  em: 'emphasis firstterm citetitle cite foreignphrase replaceable i var',
  strong: 'guibutton guilabel guimenu guimenuitem guisubmenu guiicon uicontrol wintitle b',
  sup: 'superscript sup',
  sub: 'subscript sub',
  q: 'quote q',
  blockquote: 'blockquote lq epigraph',
  a: 'link ulink xref anchor',
  // Metadata, and elements that stand for images or other files.
  '':
    'indexterm titleabbrev remark prolog metadata titlealts navtitle colspec spanspec refmeta refclass area areaspec toc index ' +
    'imageobject videoobject audioobject authorgroup author editor copyright legalnotice pubdate date releaseinfo revhistory ' +
    'keywordset subjectset draft-comment required-cleanup data data-about foreign unknown footnoteref include svg ' +
    'refmiscinfo edition biblioid cover',
};

/** HTML names by DocBook or DITA name; the empty string means that the element is skipped. */
export const htmlNames: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([html, list]) => list.split(' ').map((name): [string, string] => [name, html])),
);

export const callouts: ReadonlySet<string> = new Set(
  'note warning tip caution important danger hazardstatement'.split(' '),
);

/** Call-out types by type of DITA note. */
export const noteKinds: Readonly<Record<string, string>> = {
  ...{ attention: 'attention', caution: 'caution', danger: 'danger', important: 'important', tip: 'tip' },
  ...{ warning: 'warning', trouble: 'warning', remember: 'important', restriction: 'important' },
};
