import type { Screen } from '#kit/describe/screen.ts'
import type { MenuLink } from '#kit/web/shell/registry.ts'

/**
 * What a feature gives the browser at the start: its screens, and lines of the menu that are no screens of
 * their own.
 */
interface WebFeature {
  screens: Screen[]
  links?: MenuLink[]
}

// Records only: the code of a screen comes when it is opened. In a separate file, because such imports are
// moved to the top of theirs: a style that comes with one of them would stand before app.css, which orders
// the layers.
export const webFeatures = Object.values(
  import.meta.glob<WebFeature>('./features/*/*/web/screens.ts', { eager: true }),
)
