import { useTranslation } from '../text/use-translation.ts'
import parts from './loader-bar.module.css'

/** The thin bar under the header, for slow requests. */
export function LoaderBar({ isShown }: { isShown: boolean }) {
  const { t } = useTranslation()
  if (!isShown) return null
  return <div className={parts.bar} role="progressbar" aria-label={t('Loading')} />
}
