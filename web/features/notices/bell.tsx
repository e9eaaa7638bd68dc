import { limits } from '@atrium/contract/limits.ts'
import { ActionIcon, Drawer, Popover, Tooltip } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import parts from './bell.module.css'
import { NoticeList } from './notice-list.tsx'
import { useBell } from './use-notices.ts'

type BellProps = {
  isPhone: boolean
  /** Where a notice leads is the portal's to say. */
  onGo: (path: string) => void
}

/** What the member was told, on every page: how many are unread, and the list. */
export function Bell({ isPhone, onGo }: BellProps) {
  const { t } = useTranslation()
  const bell = useBell()
  const [isOpen, setOpen] = useState(false)
  const unread = bell?.unread ?? 0
  const shown = unread >= limits.noticesCountedMax ? `${limits.noticesCountedMax - 1}+` : String(unread)
  const label = unread === 0 ? t('Notifications') : t('Notifications, {{shown}} unread', { shown })
  const go = (path: string) => {
    setOpen(false)
    onGo(path)
  }
  const button = (
    <Tooltip label={t('Notifications')} disabled={isOpen}>
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
        <Drawer
          opened={isOpen}
          onClose={() => setOpen(false)}
          position="bottom"
          padding="lg"
          classNames={{ content: parts.sheet ?? '', body: parts.sheetBody ?? '' }}
          title={t('Notifications')}
          closeButtonProps={{ 'aria-label': t('Close') }}
        >
          <NoticeList onGo={go} />
        </Drawer>
      </>
    )
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={400} trapFocus returnFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('Notifications')}>
        <h2 className={parts.title}>{t('Notifications')}</h2>
        <NoticeList onGo={go} />
      </Popover.Dropdown>
    </Popover>
  )
}
