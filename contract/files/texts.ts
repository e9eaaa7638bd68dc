/** Upload texts, loaded with the upload code. */
export const fileTexts = {
  fileTypes: 'Only the following file types are allowed: {{types}}.',
  fileTooLarge: 'This file is larger than {{size}}.',
  fileEmpty: 'This file is empty.',
  uploadBroken: 'The connection was lost. The part already uploaded is kept.',
  fileInfected: 'A virus was found in this file. Nobody can open it.',
  fileVerifying: 'This file is still being checked for viruses. Please try again in a few minutes.',
  fileUnscanned:
    'This file has not been checked for viruses and cannot be opened. Please upload it again, or contact us.',
  imageTooLarge:
    'This picture has {{count}} megapixels ({{width}} × {{height}}), and at most {{most}} are accepted. Make it smaller, or take a screenshot of it.',
  imageUnreadable: 'This image could not be read. Please save it again or take another picture.',
  logoInvalid: 'Please choose a PNG or JPEG picture.',
  logoTooLarge: 'This picture is too large. Please choose one of at most 150 KB.',
} as const
