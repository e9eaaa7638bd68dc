import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { LazyAround } from '../lazy/lazy.tsx'
import type { PersonEntry } from './opened-person-menu.tsx'
import parts from './person-menu.module.css'
import { Portrait } from './portrait.tsx'

type PersonMenuProps = {
  name: string
  picture: string | null
  label: string
  isNameShown: boolean
  /** Further facts about the person, one per line. */
  more: string[]
  /** The menu's links. */
  entries: PersonEntry[]
}

const menu = async () => (await import('./opened-person-menu.tsx')).OpenedPersonMenu

/** The signed-in person, at the end of the header, with their menu. */
export function PersonMenu({ name, picture, label, isNameShown, more, entries }: PersonMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const trigger = (
    <button type="button" className={parts.button} aria-label={label}>
      <Portrait name={name} url={picture} />
      {isNameShown && (
        <>
          <bdi className={parts.name}>{name}</bdi>
          <IconChevronDown size={16} stroke={1.5} aria-hidden />
        </>
      )}
    </button>
  )
  return <LazyAround popup="menu" part={menu} props={{ trigger, isOpen, setOpen, name, more, entries }} />
}
