import { Drawer, type DrawerProps, Modal, type ModalProps, type ModalRootProps } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import { useIsTopDialog } from './open-dialogs.ts'

/** A dialog whose Escape reaches no dialog below it. All dialogs of the web are one of these three. */
export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  const { t } = useTranslation()
  const isTop = useIsTopDialog(props.opened)
  return <Modal closeButtonProps={{ 'aria-label': t('Close') }} {...props} closeOnEscape={closeOnEscape && isTop} />
}

/** For a dialog with a layout of its own. */
export function DialogRoot({ closeOnEscape = true, ...props }: ModalRootProps) {
  const isTop = useIsTopDialog(props.opened)
  return <Modal.Root {...props} closeOnEscape={closeOnEscape && isTop} />
}

/** A dialog at the side of the screen, or from below on a phone. */
export function Sheet({ closeOnEscape = true, ...props }: DrawerProps) {
  const { t } = useTranslation()
  const isTop = useIsTopDialog(props.opened)
  return <Drawer closeButtonProps={{ 'aria-label': t('Close') }} {...props} closeOnEscape={closeOnEscape && isTop} />
}
