/** How the installation looks on a home screen. */
export function webManifest(productName: string): string {
  const icon = (pixels: number) => ({
    src: `/icon-${pixels}.png`,
    sizes: `${pixels}x${pixels}`,
    type: 'image/png',
    purpose: 'any maskable',
  });
  return `${JSON.stringify({
    name: productName,
    short_name: productName,
    start_url: '/dashboard',
    display: 'minimal-ui',
    background_color: '#f8fbf8',
    theme_color: '#f8fbf8',
    icons: [icon(192), icon(512)],
  })}\n`;
}
