/** Texts about terms that members accept. */
export const termsTexts = {
  termsAccepted: 'Your acceptance has been recorded.',
  termsChanged: 'These terms have changed since you opened them. Please read the new text.',
  termsNameMissing: 'Please give the terms a name.',
  termsTickboxMissing: 'Please enter the text of the checkbox.',
  termsTextMissing: 'Please write the text of the terms.',
  termsTooLong: 'Use at most {{count}} characters.',
  termsSectionsMissing: 'Please choose at least one section to close until these terms are accepted.',
} as const
