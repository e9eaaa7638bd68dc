import type { MouseEvent } from 'react'
import { reloadByChoice } from '../forms/leave-page.ts'
import { useTranslation } from '../text/use-translation.ts'

/** Loads the page that is open when it is pressed: by its address alone, a `#` in it would only scroll. */
export function ReloadLink() {
  const { t } = useTranslation()
  const reload = (event: MouseEvent) => {
    event.preventDefault()
    reloadByChoice()
  }
  return (
    <a href={location.href} onClick={reload}>
      {t('Reload')}
    </a>
  )
}
