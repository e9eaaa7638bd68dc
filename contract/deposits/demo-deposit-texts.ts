/** Texts about demo funds, for the form and the server. */
export const demoDepositTexts = {
  none: 'This brokerage does not offer demo funds.',
  usedUp: 'You have reached the limit of demo funds for 24 hours. You can add more 24 hours after the first of them.',
  tooMuch: 'You can add up to {{amount}} {{currency}} of demo funds now. The limit counts the last 24 hours.',
}
