// A contestant in C++: it asks at the cheapest cells until only one cell can have the treasure.
// g++ -std=c++20 -O2 -o contestants/cpp contestants/cpp.cpp
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

struct Cell {
    int i, j, cost;
};

int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<Cell> possible;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int cost;
            std::cin >> cost;
            possible.push_back({i, j, cost});
        }
    }
    std::vector<Cell> cheapest = possible;
    std::stable_sort(cheapest.begin(), cheapest.end(), [](const Cell& a, const Cell& b) { return a.cost < b.cost; });
    for (const Cell& at : cheapest) {
        if (possible.size() == 1) break;
        // endl flushes.
        std::cout << "? " << at.i << ' ' << at.j << std::endl;
        int steps;
        std::cin >> steps;
        std::erase_if(possible, [&](const Cell& c) { return std::abs(c.i - at.i) + std::abs(c.j - at.j) != steps; });
    }
    std::cout << "! " << possible[0].i << ' ' << possible[0].j << std::endl;
}
