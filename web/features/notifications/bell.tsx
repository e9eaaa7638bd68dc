import { limits } from '@atrium/contract/limits.ts'
import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { Lazy, LazyAround, notifyMissing } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Tooltip } from '../../ui/tooltip/tooltip.tsx'
import parts from './bell.module.css'
import { useBell } from './bell-state.ts'

const opened = () => import('./opened-bell.tsx')
const sheet = async () => (await opened()).BellSheet
const popover = async () => (await opened()).BellPopover

type BellProps = {
  isPhone: boolean
  /** Opens the target of a notification; the portal supplies the navigation. */
  onGo: (path: string) => void
  /** Whether the target is open to this member; otherwise a press only marks the notification as read. */
  mayGo: (path: string) => boolean
}

/** The unread count and the list of notifications, on every page. */
export function Bell({ isPhone, onGo, mayGo }: BellProps) {
  const { t } = useTranslation()
  const bell = useBell()
  const [isOpen, setOpen] = useState(false)
  const unread = bell?.unread ?? 0
  const shown = unread >= limits.notificationsCountedMax ? `${limits.notificationsCountedMax - 1}+` : String(unread)
  const label = unread === 0 ? t('Notifications') : t('Notifications, {{shown}} unread', { shown })
  const go = (path: string) => {
    if (!mayGo(path)) return
    setOpen(false)
    onGo(path)
  }
  const button = (
    <Tooltip label={t('Notifications')} isOff={isOpen}>
      <ActionIcon
        className={parts.bell ?? ''}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconBell size={20} stroke={1.5} />
        {unread > 0 && (
          <span className={parts.count} aria-hidden>
            {shown}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  )
  if (isPhone)
    return (
      <>
        {button}
        <Lazy
          part={sheet}
          props={{ opened: isOpen, onClose: () => setOpen(false), onGo: go }}
          onMissing={() => {
            setOpen(false)
            notifyMissing()
          }}
        />
      </>
    )
  return <LazyAround popup="dialog" part={popover} props={{ trigger: button, isOpen, setOpen, onGo: go }} />
}
