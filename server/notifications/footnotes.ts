/** For events that the owner of an account may not have caused. */
export const notYou = 'If this was not you, change your password now and contact us.'

export const notYouAt = (address: string, path = '/forgot-password/') =>
  `If this was not you, change your password now at ${address}${path} and contact us.`
