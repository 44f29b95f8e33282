import { defineConfig } from 'vite';

// One script and one style sheet, which the report puts into its page.
export default defineConfig({
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    license: { fileName: 'licenses.md' },
    lib: {
      entry: 'src/main.ts',
      name: 'explorer',
      formats: ['iife'],
      fileName: () => 'explorer.js',
      cssFileName: 'explorer',
    },
  },
});
