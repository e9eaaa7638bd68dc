import type { useTranslation } from '../text/use-translation.ts'

/** Before unsaved input is left. */
export const exitQuestion = (t: ReturnType<typeof useTranslation>['t']) => ({
  title: t('Do you want to exit before saving?'),
  body: t('What you have filled in will be lost.'),
  action: t('Ok'),
  stay: t('Cancel'),
})
