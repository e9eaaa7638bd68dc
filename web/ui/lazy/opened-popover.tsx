import { Popover, type PopoverDropdownProps } from '@mantine/core'
import type { Around } from './lazy.tsx'

/** Without `hasRoles`, trigger and content bring their own. */
type PopoverProps = Around & { content: PopoverDropdownProps; hasRoles: boolean }

export function OpenedPopover({ trigger, isOpen, setOpen, content, hasRoles }: PopoverProps) {
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus withRoles={hasRoles} returnFocus>
      <Popover.Target>{trigger}</Popover.Target>
      <Popover.Dropdown {...content} />
    </Popover>
  )
}
