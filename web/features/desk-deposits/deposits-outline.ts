/** The first texts of the list, which the HTML shows before any script has loaded. */
export const depositsOutline = { title: 'Deposits', search: 'Name, number, amount or reference' }
