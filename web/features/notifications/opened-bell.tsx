import { Drawer, Popover } from '@mantine/core'
import type { Around } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './bell.module.css'
import { NotificationList } from './notification-list.tsx'

type Going = { onGo: (path: string) => void }
type SheetProps = Going & { opened: boolean; onClose: () => void }
type PopoverProps = Going & Around

/** The opened bell on a phone. */
export function BellSheet({ opened, onClose, onGo }: SheetProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      padding="lg"
      classNames={{ content: parts.sheet ?? '', body: parts.sheetBody ?? '' }}
      title={t('Notifications')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <NotificationList onGo={onGo} />
    </Drawer>
  )
}

export function BellPopover({ trigger, isOpen, setOpen, onGo }: PopoverProps) {
  const { t } = useTranslation()
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={400} trapFocus returnFocus>
      <Popover.Target>{trigger}</Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('Notifications')}>
        <h2 className={parts.title}>{t('Notifications')}</h2>
        <NotificationList onGo={onGo} />
      </Popover.Dropdown>
    </Popover>
  )
}
