import type { PopoverDropdownProps } from '@mantine/core'
import { type Around, LateAround } from './late.tsx'

const popover = async () => (await import('./opened-popover.tsx')).OpenedPopover

type LatePopoverProps = Around & PopoverDropdownProps & { hasRoles?: boolean }

/** A button with a panel; a closed popover of Mantine would measure the page and render it twice. */
export function LatePopover({ trigger, isOpen, setOpen, hasRoles = true, ...content }: LatePopoverProps) {
  return <LateAround popup="dialog" part={popover} props={{ trigger, isOpen, setOpen, hasRoles, content }} />
}
