import type { PopoverDropdownProps } from '@mantine/core'
import { type Around, LazyAround } from './lazy.tsx'

const popover = async () => (await import('./opened-popover.tsx')).OpenedPopover

type LazyPopoverProps = Around & PopoverDropdownProps & { hasRoles?: boolean }

/** A button with a panel; a closed popover of Mantine would measure the page and render it twice. */
export function LazyPopover({ trigger, isOpen, setOpen, hasRoles = true, ...content }: LazyPopoverProps) {
  return <LazyAround popup="dialog" part={popover} props={{ trigger, isOpen, setOpen, hasRoles, content }} />
}
