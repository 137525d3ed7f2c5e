/** Who runs this installation and where to write. Whoever runs his own puts his own here. */
export const contact = {
  mail: 'hello@pinkas.example',
  privacy: 'privacy@pinkas.example',
  accessibility: 'accessibility@pinkas.example',
} as const
