/** A plug-in a business may add to its plan. */
export interface Module {
  /** `pluginid` of the records; a number is never given to another module. */
  id: number
  /** Words: `modules.<name>`; `module` of screens and calls. */
  name: string
  /** Agorot a month, without VAT. */
  priceAgorot: number
  /** Where what it opens is. */
  href: string
}

/** Only what opens something that is there. Number 1 was keys for programs, which are free now. */
export const modules: readonly Module[] = [
  { id: 2, name: 'storage', priceAgorot: 1_900, href: '/invoice/files' },
]

export const moduleNamed = (name: string): Module | undefined => modules.find((one) => one.name === name)

export const trialDays = 30
