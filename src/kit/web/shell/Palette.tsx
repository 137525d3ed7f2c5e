import { CircleOff, Keyboard, LogOut, Moon, Sun } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { logOut } from '../session/account.ts'
import { CommandPalette, type Command, type CommandGroup } from '../parts/CommandPalette.tsx'
import { failureText } from '../calls/call.ts'
import { canDocument } from '#kit/describe/session.ts'
import { go } from '../routes/place.ts'
import { mayDo, useModules, useSession } from '../session/session.ts'
import { useDark } from '../theme.ts'
import { useWords } from '../words/words.tsx'
import { banner } from './banner.ts'
import { findableOf } from './findable.ts'
import { groupIcons } from './icons.ts'
import { offersOf, type Group } from './menu.ts'
import { weightOf } from './opened.ts'
import { newThings, searchSources, turnOnAreas, useRegistry } from './registry.ts'
import type { TypedAhead } from './typedAhead.ts'

/** Ctrl/Cmd+K: actions, what features find, screens. */
export function Palette({
  isOpen,
  onClose,
  groups,
  pins,
  onKeys,
  begun,
}: {
  isOpen: boolean
  onClose: () => void
  groups: readonly Group[]
  pins: readonly string[]
  onKeys: () => void
  begun: TypedAhead['take']
}) {
  const t = useWords()
  const session = useSession()
  const [dark, setDark] = useDark()
  useRegistry()

  const actions: Command[] = [
    ...newThings
      .filter(
        (thing) =>
          mayDo(session, thing.rule) &&
          (thing.documentType === undefined || canDocument(session, thing.documentType)),
      )
      .toSorted((a, b) => (a.order ?? 50) - (b.order ?? 50))
      .map((thing) => ({
        key: thing.key,
        label: t(thing.word),
        icon: thing.icon,
        run: () => go(thing.href),
        ...(thing.keys ? { hint: thing.keys } : {}),
      })),
    {
      key: 'dark',
      label: t(dark ? 'kit.shell.light' : 'kit.shell.dark'),
      icon: dark ? Sun : Moon,
      terms: t('terms.action.dark'),
      run: () => setDark(!dark),
    },
    {
      key: 'keys',
      label: t('kit.keys.title'),
      icon: Keyboard,
      hint: '? ?',
      terms: t('terms.action.keys'),
      run: onKeys,
    },
    {
      key: 'logOut',
      label: t('kit.shell.logOut'),
      icon: LogOut,
      m: true,
      terms: t('terms.action.logOut'),
      run: () => logOut(),
    },
  ]
  const screens: Command[] = groups.flatMap(({ name, all }) =>
    all.map((entry) => {
      const { name: label, also, terms, use, rare } = findableOf(t, entry, weightOf(entry.name, pins))
      return {
        key: `screen-${entry.name}`,
        label,
        hint: t(`menu.${name}`),
        icon: groupIcons[name],
        run: () => go(entry.href),
        ...(also ? { also } : {}),
        ...(terms ? { terms } : {}),
        ...(use ? { use } : {}),
        ...(rare ? { rare } : {}),
      }
    }),
  )
  const modules = useModules()
  const offers = useMemo(
    () => (session && mayDo(session, 'modules') ? offersOf(session, mayDo, modules) : []),
    [session, modules],
  )
  // A screen that is off is turned on and opened; one that the law denies the business explains itself at its address.
  const off: Command[] = offers.map(({ entry, lack }) => {
    const { name: label, also, terms } = findableOf(t, entry)
    const area = lack.areas.map((one) => t(`areas.${one}`)).join(', ')
    return {
      key: `off-${entry.name}`,
      label,
      hint:
        lack.kinds.length > 0 ? t('modules.offer.vat.title') : t('modules.offer.turnOnOne', { name: area }),
      icon: CircleOff,
      run: () => {
        const turned =
          lack.kinds.length > 0
            ? Promise.resolve()
            : turnOnAreas(lack.areas).then(() => banner.success(t('modules.offer.turnedOn', { name: area })))
        turned.then(
          () => go(entry.href),
          (e: unknown) => banner.error(failureText(t, e)),
        )
      },
      ...(also ? { also } : {}),
      ...(terms ? { terms } : {}),
    }
  })

  const search = useCallback(
    async (query: string, signal: AbortSignal): Promise<CommandGroup[]> => {
      const answers = await Promise.all(
        searchSources
          .filter(({ rule }) => mayDo(session, rule))
          .toSorted((a, b) => a.order - b.order)
          .map(async ({ group, find }) => {
            // One source that fails does not silence the others.
            const found = await find(query, signal).catch(() => [])
            return {
              title: t(group),
              items: found.map(({ href, run, ...one }) => ({ ...one, run: run ?? (() => go(href)) })),
            }
          }),
      )
      return answers.filter(({ items }) => items.length > 0)
    },
    [session, t],
  )
  return (
    <CommandPalette
      isOpen={isOpen}
      onClose={onClose}
      search={search}
      begun={begun}
      groups={[
        { title: t('kit.palette.actions'), items: actions },
        { title: t('kit.palette.screens'), items: screens },
      ]}
      last={{ title: t('modules.offer.title'), items: off }}
    />
  )
}
