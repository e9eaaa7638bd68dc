/** Limits of forms; separate from the limits that the first page loads. */
export const formLimits = {
  stepsMax: 20,
  /** Of all steps together. */
  fieldsMax: 300,
  columnsMax: 12,
  rowsMax: 1_000,
  optionsMax: 300,
  bandsMax: 20,
  optionValueCharsMax: 120,
  labelCharsMax: 250,
  descriptionCharsMax: 2_000,
  htmlCharsMax: 20_000,
  htmlDepthMax: 40,
  inputNameCharsMax: 60,
  scoreMax: 1_000_000,
  /** Limits of a rule: nesting depth, number of values, and length of a text. */
  ruleDepthMax: 10,
  ruleNodesMax: 300,
  ruleTextCharsMax: 500,
  /** Beyond this number of steps a rule is false, and a formula has no value. */
  stepsOfOneMax: 1_000,
  /** For one evaluation of all rules and formulas of a form. */
  stepsOfAllMax: 50_000,
  exponentMax: 64,
  /** Default decimals of a formula's result. */
  formulaDecimals: 10,
  decimalsMax: 18,
  /** Maximum of a field, and its default. */
  textCharsMax: 500,
  textareaCharsMax: 5_000,
  filesMax: 10,
  /** Maximum distance of a date from today. */
  daysAwayMax: 9_999,
  /** Times are chosen from slots of this length. */
  timeSlotMinutes: 30,
  /** A draft is saved when typing pauses, and after this time at the latest. */
  draftUnsavedMsMax: 10_000,
  /** Maximum number of unknown names that an error lists. */
  unknownNamesReportedMax: 20,
} as const
