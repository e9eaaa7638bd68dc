import { Drawer, Popover } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Around } from '../../ui/layout/late.tsx'
import parts from './bell.module.css'
import { NoticeList } from './notice-list.tsx'

type Going = { onGo: (path: string) => void }
export type SheetProps = Going & { opened: boolean; onClose: () => void }
export type PopoverProps = Going & Around

/** On a phone. */
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
      <NoticeList onGo={onGo} />
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
        <NoticeList onGo={onGo} />
      </Popover.Dropdown>
    </Popover>
  )
}
