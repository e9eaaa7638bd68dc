/** Texts about demo funds, for the form and the server. */
export const demoDepositTexts = {
  none: 'This brokerage adds no demo funds to demo accounts.',
  usedUp: 'You have added as many demo funds as 24 hours allow. More can be added 24 hours after what you added first.',
  tooMuch: 'You can add up to {{amount}} {{currency}} of demo funds now. The limit counts the last 24 hours.',
}
