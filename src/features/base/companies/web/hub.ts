// Settings are found by the names of their fields, too. Brings the words of: settings, fields

import { lackOf } from '#kit/describe/places.ts'
import { settingsGroups, type Screen, type SettingsPlace } from '#kit/describe/screen.ts'
import { access } from '#kit/web/session/guard.ts'
import { matches } from '#kit/web/parts/matches.ts'
import { mayDo, paidModules, session } from '#kit/web/session/session.ts'
import { allScreens } from '#kit/web/shell/menu.ts'
import { wordIfAny, type Words } from '#kit/web/words/words.tsx'

export interface HubItem {
  key: string
  href: string
  title: string
  text: string
  /** The fields that fit what is looked for. */
  fields: string[]
}

export interface HubGroup {
  name: SettingsPlace['group']
  items: HubItem[]
}

/** The menu groups whose screens are settings even when they do not say where they stand. */
const byMenu: Partial<Record<string, SettingsPlace['group']>> = { settings: 'other', team: 'people' }

const placesOf = (screen: Screen): readonly SettingsPlace[] => {
  const group = byMenu[screen.menu?.group ?? '']
  return screen.settings ?? (group && screen.menu ? [{ key: '', group, order: screen.menu.order }] : [])
}

/** What a word says, when there is one. */
const said = (t: Words, key: string): string => wordIfAny(t, key) ?? ''

/**
 * Everything this person can set, in the groups people look for it; with a query what fits it by its name, by
 * another name of it, or by the name of a field on it.
 */
export function hubOf(
  t: Words,
  dic: Readonly<Record<string, string>>,
  query: string,
  screens = allScreens(),
): HubGroup[] {
  const held = session()
  if (!held) return []
  const wanted = query.trim()
  const places = screens
    .filter(
      ({ path, open }) =>
        open !== 'guest' && !path.includes('$') && path.toLowerCase() !== '/invoice/settings',
    )
    .filter((screen) => access(screen, held, mayDo, paidModules()).kind === 'open' || screen.module)
    // What the business has no use for is there when it is looked for.
    .filter((screen) => wanted !== '' || lackOf(screen.name, held) === undefined)
    .flatMap((screen) => placesOf(screen).map((place) => ({ screen, place })))
    .toSorted((a, b) => a.place.order - b.place.order)
  return settingsGroups.flatMap((name) => {
    const items = places
      .filter(({ place }) => place.group === name)
      .flatMap(({ screen, place }): HubItem[] => {
        const title = said(t, `companies.hub.${place.key}.title`) || t(`screens.${screen.name}`)
        const text = said(t, `companies.hub.${place.key}.text`)
        const also = `${t(`companies.hub.${name}`)} ${t(`screens.${screen.name}`)} ${said(t, `companies.hub.${place.key}.also`)}`
        const words = Object.keys(dic).filter((key) => place.finds?.some((start) => key.startsWith(start)))
        const fields = wanted
          ? [...new Set(words.map((key) => dic[key]!).filter((word) => matches(word, wanted)))]
          : []
        if (wanted && !fields.length && !matches(`${title} ${text} ${also}`, wanted)) return []
        return [
          {
            key: `${screen.name} ${place.key}`,
            href: screen.path + (place.query ? `?${place.query}` : ''),
            title,
            text,
            fields,
          },
        ]
      })
    return items.length ? [{ name, items }] : []
  })
}
