import { Menu } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Around } from '../lazy/lazy.tsx'
import parts from './person-menu.module.css'

export type PersonEntry = { label: string; icon: ComponentType<IconProps> } & ({ to: string } | { onPress: () => void })
type MenuAround = Around & { name: string; more: string[]; entries: PersonEntry[] }

export function OpenedPersonMenu({ trigger, isOpen, setOpen, name, more, entries }: MenuAround) {
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>{trigger}</Menu.Target>
      <Menu.Dropdown>
        <div className={parts.head}>
          <bdi className={parts.headName}>{name}</bdi>
          {more.map((line) => (
            <bdi key={line} className={parts.more}>
              {line}
            </bdi>
          ))}
        </div>
        <Menu.Divider />
        {entries.map(({ label, icon: Icon, ...entry }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={18} stroke={1.5} />}
            {...('to' in entry ? { component: Link, to: entry.to } : { onClick: entry.onPress })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
