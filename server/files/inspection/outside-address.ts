/** URL schemes that run code or open another program. */
export const runningScheme = /^(javascript|vbscript|data|mhtml|ms-[\w-]+|search(-ms)?|shell|res|its|mk|script(let)?):/i
/** A reader opens it with the user's credentials. */
export const networkPath = /^(file:)?[\\/]{2}[^\\/]|^file:[\\/]{3}[\\/]/i
