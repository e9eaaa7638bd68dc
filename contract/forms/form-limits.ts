/** Of forms: apart from the others, which the first page loads. */
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
  /** How deep a rule may nest, how many values it may be made of, and how long a text in it may be. */
  ruleDepthMax: 10,
  ruleNodesMax: 300,
  ruleTextCharsMax: 500,
  /** Beyond so many steps a rule does not hold, and a formula has no value. */
  stepsOfOneMax: 1_000,
  /** Of all the rules and formulas of one form, judged once. */
  stepsOfAllMax: 50_000,
  exponentMax: 64,
  /** A formula's result, where its field says nothing of decimals. */
  formulaDecimals: 10,
  decimalsMax: 18,
  /** What a field takes at most, and unless it says less. */
  textCharsMax: 500,
  textareaCharsMax: 5_000,
  filesMax: 10,
  /** A date may be this far from today. */
  daysAwayMax: 9_999,
  /** A time is chosen from slots of so many minutes. */
  timeSlotMinutes: 30,
  /** A draft is saved once the typing rests, and after so long where it never does. */
  draftUnsavedMsMax: 10_000,
  /** Names that nobody knows are answered one by one up to here. */
  unknownNamesToldMax: 20,
} as const
