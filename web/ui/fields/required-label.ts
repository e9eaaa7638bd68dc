import parts from './required-label.module.css'

/** For `labelProps` of a required field. */
export const requiredLabel = { className: parts.required }
