/** Texts about forms and their answers, verbatim from the specification where it has one. */
export const formTexts = {
  gaps: 'Please fill all the required fields.',
  unknownName: 'This form has no such field.',
  decimalsTooMany: 'Use at most {{count}} decimals.',
  numberSmallest: 'Enter a number of at least {{min}}.',
  numberLargest: 'Enter a number of at most {{max}}.',
  dateEarliest: 'Choose a date on or after {{date}}.',
  dateLatest: 'Choose a date on or before {{date}}.',
  rangeBackwards: 'The range ends before it begins.',
  timeSlot: 'Choose one of the times offered.',
  choice: 'Choose one of the options offered.',
} as const

/** Errors of a form definition that staff wrote or imported. */
export const formDefinitionTexts = {
  inputName: 'An input name has lowercase letters, digits and underscores, and begins with a letter.',
  inputNameDoubled: 'The input name {{name}} is used twice.',
  stepIdDoubled: 'Two steps have the same id.',
  fieldsTooMany: 'A form has at most {{count}} fields.',
  configUnknown: '{{name}}: a field of this type has no setting "{{setting}}".',
  settingMissing: '{{name}}: the setting "{{setting}}" is missing.',
  settingRange: '{{name}}: "{{from}}" must not be more than "{{to}}".',
  defaultRefused: '{{name}}: the field does not accept its own default value.',
  optionsMissing: '{{name}}: a field of this type needs options.',
  optionsRefused: '{{name}}: a field of this type has no such options.',
  optionDoubled: '{{name}}: the option {{value}} is listed twice.',
  scoresRefused: '{{name}}: scores belong to values that the field can have.',
  bands: 'Result bands begin before they end and do not overlap.',
  rule: 'This condition cannot be read, or is too large.',
  conditionUnknown: 'A condition refers to {{name}}, which is not a field of this form with an answer.',
  conditionOfNobody: 'There is a condition for {{name}}, which is not a field of this form.',
  nameTaken: 'The input name {{name}} belongs to a field of this form.',
  formulaUnknown: '{{name}}: the formula uses {{other}}, which is not a numeric field.',
  loop: 'Conditions depend on each other in a circle: {{names}}.',
  html: 'The text of a form may contain only plain elements and safe links, each of them closed.',
  href: 'A link in a form must be https, mailto, tel or a page of the portal.',
} as const

export function fillIn(text: string, values: Record<string, string | number>): string {
  return Object.entries(values).reduce((said, [name, value]) => said.replaceAll(`{{${name}}}`, () => `${value}`), text)
}
