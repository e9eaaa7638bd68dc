// Listed from contract/translations by npm run generate.

export const translations = {
  'en': () => import('./translations/en.ts'),
} as const
