import { Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import parts from './person-menu.module.css'
import { Portrait } from './portrait.tsx'

type PersonMenuProps = {
  name: string
  picture: string | null
  label: string
  isNameShown: boolean
  /** What else is said of the person, a line each. */
  more: string[]
  /** Where the person goes from here. */
  children: ReactNode
}

/** Who is signed in, at the end of the header, with what belongs to them. */
export function PersonMenu({ name, picture, label, isNameShown, more, children }: PersonMenuProps) {
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={parts.button} aria-label={label}>
          <Portrait name={name} url={picture} />
          {isNameShown && (
            <>
              <bdi className={parts.name}>{name}</bdi>
              <IconChevronDown size={16} stroke={1.5} aria-hidden />
            </>
          )}
        </button>
      </Menu.Target>
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
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
