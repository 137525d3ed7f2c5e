import { Search, Star } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { TextField } from '../fields/TextField.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { Icon } from '../parts/Icon.tsx'
import { matches } from '../parts/matches.ts'
import { useWords } from '../words.tsx'
import { groupIcons } from './icons.ts'
import type { Entry, Group } from './menu.ts'

export interface AllScreensProps {
  isOpen: boolean
  onClose: () => void
  groups: readonly Group[]
  here: Entry | undefined
  pins: readonly string[]
  onPin: (name: string) => void
}

/** Every screen this person may open, by group; a star pins one to the panel. Key G. */
export function AllScreens({ isOpen, onClose, groups, here, pins, onPin }: AllScreensProps) {
  const t = useWords()
  const [text, setText] = useState('')
  const shown = groups
    .map(({ name, all }) => ({ name, all: all.filter((entry) => matches(`${t(`screens.${entry.name}`)} ${t(`menu.${name}`)}`, text)) }))
    .filter(({ all }) => all.length > 0)
  const first = shown[0]?.all[0]
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => {
        onClose()
        setText('')
      }}
      size="l"
      title={t('kit.shell.allScreens')}
    >
      <form
        className="s-all-find"
        onSubmit={(event) => {
          event.preventDefault()
          if (first && text.trim()) document.getElementById(`s-all-${first.name}`)?.click()
        }}
      >
        <TextField
          label={t('kit.shell.filterScreens')}
          placeholder={t('kit.shell.filterScreens')}
          hideLabel
          value={text}
          onChange={setText}
          icon={Search}
          autoFocus
          type="search"
        />
        <p className="hint">{t('kit.shell.starHint')}</p>
      </form>
      <div className="s-all">
        {shown.map(({ name, all }) => (
          <section key={name} aria-labelledby={`s-all-g-${name}`}>
            <h3 id={`s-all-g-${name}`}>
              <Icon of={groupIcons[name]} />
              {t(`menu.${name}`)}
            </h3>
            <ul>
              {all.map((entry) => {
                const word = t(`screens.${entry.name}`)
                const isPinned = pins.includes(entry.name)
                return (
                  <li key={entry.name} data-pinned={isPinned ? '' : undefined}>
                    <Link
                      id={`s-all-${entry.name}`}
                      href={entry.href}
                      aria-current={here?.name === entry.name ? 'page' : undefined}
                      onPress={onClose}
                    >
                      {word}
                    </Link>
                    <button
                      type="button"
                      aria-pressed={isPinned}
                      aria-label={t('kit.shell.pin', { name: word })}
                      onClick={() => onPin(entry.name)}
                    >
                      <Icon of={Star} size="s" />
                    </button>
                  </li>
                )
              })}
            </ul>
          </section>
        ))}
        {shown.length === 0 && <p className="hint">{t('kit.combo.none', { text })}</p>}
      </div>
    </Dialog>
  )
}
