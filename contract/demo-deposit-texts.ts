/** Sentences about practice money, for the form that asks for it and the server that gives it. */
export const demoDepositTexts = {
  none: 'This brokerage adds no practice money to demo accounts.',
  usedUp: 'You have added as much practice money as a day allows. More can be added tomorrow.',
  tooMuch: 'You can add up to {{amount}} {{currency}} of practice money today.',
}
