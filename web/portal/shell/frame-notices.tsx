import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useNewVersion } from '../../api/app-version.ts'
import { ReloadLink } from '../../ui/feedback/reload-link.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './shell.module.css'

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange)
const isOnline = () => onlineManager.isOnline()

/** Notices that apply to every page, shown until they no longer apply. */
export function FrameNotices() {
  const { t } = useTranslation()
  const isOutdated = useNewVersion()
  const isOffline = !useSyncExternalStore(subscribe, isOnline)
  if (!isOutdated && !isOffline) return null
  return (
    <div className={parts.notices}>
      {isOffline && <Callout meaning="amber">{t('You\u2019re offline. Data may be out of date.')}</Callout>}
      {isOutdated && (
        <Callout meaning="blue">
          {t('A new version is available.')} <ReloadLink />
        </Callout>
      )}
    </div>
  )
}
