/** Texts about payments through a provider; separate from `texts`, so that the sign-in page does not load them. */
export const paymentTexts = {
  countryMissing: 'Please select a country.',
  addressMissing: 'Please fill all address details.',
  phoneWrong: 'Please enter a valid Phone number. Only numbers and these symbols allowed: + - ( )',
  providerUnknown: 'Please choose one of the listed payment methods.',
  currencyNotOffered: 'This payment method does not accept {{currency}}. Please choose another one.',
  coinMissing: 'Please choose a coin.',
  coinNotOffered: 'This coin is not accepted at the moment. Please choose another one.',
  wayNotOffered: 'This payment method is not available at the moment. Please choose another one.',
  amountOutside: 'Enter an amount from {{min}} to {{max}} {{currency}}.',
  unavailable:
    'The payment provider cannot be reached at the moment. You have not been charged. Please try again later.',
  outcomeUnknown:
    'The payment provider has not answered yet. We are verifying the payment; no action is needed. Please do not pay again in the meantime.',
  declinedAtStart: 'The payment provider did not accept this payment. You have not been charged.',
  problemTitle: 'There was a problem',
  cancelled: 'Your transaction was cancelled.',
  completed: 'Payment completed',
  declined: 'Payment declined',
  notAccepted: 'The payment was not accepted.',
  expired: 'No payment arrived in time.',
} as const
