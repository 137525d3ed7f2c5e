/** What the page runs in, in words: enough to find a fault, and no mark of the person. */
export function browserName(agent: string, width: number): string {
  const [, name, version] =
    /(Edg|OPR|Firefox|Chrome|Version)\/(\d+)/.exec(
      agent.includes('Edg/') || agent.includes('OPR/') ? agent.replace(/Chrome\/\d+/, '') : agent,
    ) ?? []
  const known: Record<string, string> = {
    Edg: 'Edge',
    OPR: 'Opera',
    Firefox: 'Firefox',
    Chrome: 'Chrome',
    Version: 'Safari',
  }
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0] ?? ''
  return [name ? `${known[name]} ${version}` : '', system, `${width} px`].filter(Boolean).join(', ')
}
