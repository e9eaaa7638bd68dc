import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { LateAround, latePart } from './late.tsx'
import type { MenuAround, PersonEntry } from './opened-person-menu.tsx'
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
  entries: PersonEntry[]
}

const menu = latePart<MenuAround>(async () => (await import('./opened-person-menu.tsx')).OpenedPersonMenu)

/** Who is signed in, at the end of the header, with what belongs to them. */
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
  return <LateAround popup="menu" part={menu} props={{ trigger, isOpen, setOpen, name, more, entries }} />
}
