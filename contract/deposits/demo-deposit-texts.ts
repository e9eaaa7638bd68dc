/** Sentences about practice money, for the form that asks for it and the server that gives it. */
export const demoDepositTexts = {
  none: 'This brokerage adds no demo funds to demo accounts.',
  usedUp: 'You have added as many demo funds as 24 hours allow. More can be added 24 hours after what you added first.',
  tooMuch: 'You can add up to {{amount}} {{currency}} of demo funds now. The limit counts the last 24 hours.',
}
